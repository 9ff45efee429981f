//! What a server asks for: the challenges of `WWW-Authenticate` (RFC 9110 §11.3, §11.6.1).
//!
//! Two crates were tried on the cases of the field before this reader was written. `http-auth` 0.1.10 knows no token68, so
//! a `Negotiate YWJj==` hides every challenge after it (C28's own rule for where a challenge starts), and gives up a whole
//! list at `Basic realm=/`, which a registry does send. `www-authenticate` 0.4.0 loses the order of challenges (C28),
//! gives up at empty list elements and drops everything with a parameter that stands twice (C36).
//!
//! The reader takes one pass and never fails: what is malformed is left out, and reading goes on behind it.

use std::fmt;

use http::HeaderMap;
use http::header::WWW_AUTHENTICATE;

/// One challenge: a scheme and its parameters.
///
/// ```
/// use httpx_client::Challenge;
///
/// let asked = Challenge::list(r#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#);
/// assert_eq!((asked.len(), asked[0].param("TITLE")), (2, Some(r#"Login to "apps""#)));
/// assert!(asked[1].is("basic"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    scheme: String,
    params: Vec<(String, String)>,
    token68: Option<String>,
}

impl Challenge {
    /// Every challenge in one field value, in order.
    #[must_use]
    pub fn list(value: &str) -> Vec<Challenge> {
        let mut reader = Reader { rest: value };
        let mut found: Vec<Challenge> = Vec::new();
        while let Some(element) = reader.element() {
            match (element, found.last_mut()) {
                (Element::Scheme(scheme, token68), _) => found.push(Challenge { scheme, params: Vec::new(), token68 }),
                (Element::Param(name, value), Some(challenge)) => challenge.add(name, value),
                (Element::Param(..), None) => tracing::debug!("a parameter stands before any authentication scheme"),
            }
        }
        found
    }

    /// Every challenge of an answer, over all its lines.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Vec<Challenge> {
        let lines = headers.get_all(WWW_AUTHENTICATE).iter();
        lines.flat_map(|line| Challenge::list(&String::from_utf8_lossy(line.as_bytes()))).collect()
    }

    /// The scheme as it was sent.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Is this its scheme? Letter case does not matter (RFC 9110 §11.1).
    #[must_use]
    pub fn is(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// A parameter by its name, in any letter case (RFC 9110 §11.2); its value is without quotes and escapes.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Name and value of each parameter, in order.
    pub fn params(&self) -> impl Iterator<Item = (&str, &str)> {
        self.params.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The protection space (RFC 9110 §11.5).
    #[must_use]
    pub fn realm(&self) -> Option<&str> {
        self.param("realm")
    }

    /// What stands behind the scheme in place of parameters (RFC 9110 §11.2).
    #[must_use]
    pub fn token68(&self) -> Option<&str> {
        self.token68.as_deref()
    }

    /// A name must stand once in a challenge (RFC 9110 §11.2); where it does not, the first one counts.
    fn add(&mut self, name: String, value: String) {
        if self.params.len() == MOST_PARAMS {
            return;
        }
        if self.param(&name).is_some() {
            tracing::debug!(
                scheme = self.scheme,
                name,
                "an authentication parameter stands twice, the first one counts"
            );
        } else {
            self.params.push((name, value));
        }
    }
}

impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.scheme)
    }
}

/// How many parameters of a challenge are kept. The field has 6 at most, and looking for doubles must stay cheap.
const MOST_PARAMS: usize = 64;

/// What can stand between two commas.
enum Element {
    Scheme(String, Option<String>),
    Param(String, String),
}

/// Reads from the front of what is left.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// The next element; each call takes at least one character, until there is none.
    ///
    /// Commas between elements may be many (RFC 9110 §5.6.1.2) or, with some servers, missing.
    fn element(&mut self) -> Option<Element> {
        loop {
            self.take_while(|c| is_space(c) || c == ',');
            let token = self.take_while(is_token);
            if let Some(value) = self.value() {
                if !token.is_empty() {
                    return Some(Element::Param(token.to_owned(), value));
                }
            } else if !token.is_empty() {
                return Some(Element::Scheme(token.to_owned(), self.token68()));
            } else {
                let mut characters = self.rest.chars();
                characters.next()?;
                self.rest = characters.as_str(); // Nothing starts with this character.
            }
        }
    }

    /// `= value`, with white space around the sign as old senders have it (RFC 9110 §5.6.3).
    fn value(&mut self) -> Option<String> {
        let after = self.rest.trim_start_matches(is_space).strip_prefix('=')?;
        self.rest = after.trim_start_matches(is_space);
        Some(match self.rest.strip_prefix('"') {
            Some(quoted) => self.quoted(quoted),
            // Looser than a token: `realm=/` is sent in the field.
            None => self.take_while(|c| !is_space(c) && c != ',').to_owned(),
        })
    }

    /// A quoted string behind its first quote (RFC 9110 §5.6.4). One without an end goes as far as the field.
    fn quoted(&mut self, after: &'a str) -> String {
        let mut value = String::new();
        let mut characters = after.chars();
        loop {
            match characters.next() {
                None | Some('"') => break,
                Some('\\') => value.extend(characters.next()),
                Some(other) => value.push(other),
            }
        }
        self.rest = characters.as_str();
        value
    }

    /// What follows a scheme, when it is one word up to the next comma and no parameter.
    fn token68(&mut self) -> Option<String> {
        let word = self.rest.trim_start_matches(is_space);
        let end = word.find(|c| !is_token68(c)).unwrap_or(word.len());
        let end = end + word[end..].len() - word[end..].trim_start_matches('=').len();
        let (word, behind) = word.split_at(end);
        let is_last = matches!(behind.trim_start_matches(is_space).chars().next(), None | Some(','));
        (!word.is_empty() && is_last).then(|| {
            self.rest = behind;
            word.to_owned()
        })
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }
}

const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// RFC 9110 §5.6.2.
const fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '!' | '#' | '$' | '%' | '&' | '\'' | '*' | '+' | '-' | '.' | '^' | '_' | '`' | '|' | '~')
}

/// RFC 9110 §11.2, without the signs at its end.
const fn is_token68(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '+' | '/')
}
