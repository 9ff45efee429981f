//! The call itself, and how it is told.

use std::path::Path;
use std::time::{Duration, Instant};

use http::StatusCode;
use httpx_client::httpx_retry::Reason;
use httpx_client::{Attempts, Error, ErrorKind, RequestBuilder};
use indicatif::ProgressBar;

use super::report::{Report, told};
use super::request::{method, request};
use super::sink::{Sink, is_device};
use super::{Args, timeline};
use crate::exit::{Exit, Trouble};
use crate::{progress, say};

/// What came of the call.
struct Ended {
    answer: Result<StatusCode, Error>,
    attempts: Attempts,
    elapsed: Duration,
    bytes: u64,
}

pub(super) async fn run(args: Args) -> Result<Exit, Trouble> {
    let client = args.settings.client(&args.url, &args.credentials, |builder| {
        if !args.verbose {
            return builder;
        }
        builder.on_retry(|event| say::aside(timeline::line(event.attempt())))
    })?;
    let request = request(&args, &client)?;
    if args.verbose
        && let Some(line) = timeline::begins(&method(&args), &args.url, &client)
    {
        say::aside(line);
    }
    let sink = match &args.output {
        Some(path) if !is_device(path) || args.saving.needs_file() => {
            return tell(&saved(request, path, &args).await?, &args);
        }
        Some(device) => Sink::device(device)?,
        None if args.json => Sink::Nowhere,
        None => Sink::Stdout,
    };
    let ended = if args.stream { streamed(request, sink, &args).await? } else { fetched(request, sink, &args).await? };
    tell(&ended, &args)
}

/// Saves the body: one that breaks off goes on from where it did.
async fn saved(request: RequestBuilder, path: &Path, args: &Args) -> Result<Ended, Trouble> {
    // Lines of the story and a bar would overwrite each other.
    let bar = if args.verbose { ProgressBar::hidden() } else { progress::bar() };
    let started = Instant::now();
    let saved = args.saving.download(request, path, bar.clone()).await;
    let elapsed = started.elapsed();
    bar.finish_and_clear();
    let error = match saved {
        Ok(saved) => {
            tell_last(saved.attempts(), args);
            let (attempts, bytes) = (saved.attempts().clone(), saved.body().bytes);
            return Ok(Ended { answer: Ok(saved.status()), attempts, elapsed, bytes });
        }
        Err(error) => error,
    };
    match (error.kind(), error.attempts()) {
        // One below 400 that brought no file is no success, whatever its number says.
        (ErrorKind::Status(status), Some(attempts)) if status.as_u16() >= 400 => {
            tell_last(attempts, args);
            Ok(Ended { answer: Ok(status), attempts: attempts.clone(), elapsed, bytes: 0 })
        }
        (ErrorKind::File, None) => {
            let reason = std::error::Error::source(&error).map(ToString::to_string);
            Err(Trouble::usage(format!("--output: {}", reason.unwrap_or_else(|| error.to_string()))))
        }
        _ => broken(error, elapsed, args),
    }
}

/// Reads the body within the attempt: one that breaks off is fetched again.
async fn fetched(request: RequestBuilder, mut sink: Sink, args: &Args) -> Result<Ended, Trouble> {
    let started = Instant::now();
    let answer = request.fetch_bytes().await;
    let elapsed = started.elapsed();
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return broken(error, elapsed, args),
    };
    tell_last(answer.attempts(), args);
    sink.take(answer.body())?;
    let bytes = answer.body().len() as u64;
    Ok(Ended { answer: Ok(answer.status()), attempts: answer.attempts().clone(), elapsed, bytes })
}

/// Passes the pieces of the body on as they come.
async fn streamed(request: RequestBuilder, mut sink: Sink, args: &Args) -> Result<Ended, Trouble> {
    let started = Instant::now();
    let mut answer = match request.send().await {
        Ok(answer) => answer,
        Err(error) => return broken(error, started.elapsed(), args),
    };
    let mut bytes = 0;
    loop {
        match answer.chunk().await {
            Ok(Some(piece)) => {
                bytes += piece.len() as u64;
                sink.take(&piece)?;
            }
            Ok(None) => break,
            Err(error) => return broken(error, started.elapsed(), args),
        }
    }
    tell_last(answer.attempts(), args);
    let (status, attempts) = (answer.status(), answer.attempts().clone());
    Ok(Ended { answer: Ok(status), attempts, elapsed: started.elapsed(), bytes })
}

/// No answer: a failed call, or a request that was never one.
fn broken(error: Error, elapsed: Duration, args: &Args) -> Result<Ended, Trouble> {
    let Some(attempts) = error.attempts().cloned() else { return Err(Trouble::usage(error)) };
    tell_last(&attempts, args);
    let bytes = error.bytes_received();
    Ok(Ended { answer: Err(error), attempts, elapsed, bytes })
}

/// The attempts before it were told while the call went on, but for those that ended with it.
fn tell_last(attempts: &Attempts, args: &Args) {
    if args.verbose {
        let cancelled = attempts.iter().filter(|attempt| attempt.ended == httpx_client::Ended::Cancelled);
        cancelled.chain([attempts.last()]).for_each(|attempt| say::aside(timeline::line(attempt)));
    }
}

fn tell(ended: &Ended, args: &Args) -> Result<Exit, Trouble> {
    let Ended { answer, attempts, elapsed, bytes } = ended;
    if args.json {
        let report = Report::new(answer.as_ref().copied(), attempts, *elapsed, *bytes);
        say::out(serde_json::to_string(&report).map_err(Trouble::failed)?)?;
    }
    match answer {
        Ok(status) => {
            let exit = match status.as_u16() {
                400.. => Exit::Status,
                // A redirect that wanted a stream again: what was to be sent has not arrived where it should.
                300.. if *attempts.stop_reason() == Reason::BodyNotReplayable => Exit::Failed,
                _ => Exit::Success,
            };
            // A bad status is told to whoever looks only at the terminal, a good one to whoever asked for the story.
            if args.verbose || (exit != Exit::Success && !args.json) {
                say::aside(timeline::ends(*status, attempts.count(), *elapsed, *bytes));
            }
            if exit == Exit::Failed && !args.json {
                return Err(Trouble::failed(format!("the redirect was not followed: {}", Reason::BodyNotReplayable)));
            }
            Ok(exit)
        }
        Err(_) if args.json => Ok(Exit::Failed),
        Err(error) => Err(Trouble::failed(told(error))),
    }
}
