//! The server of the bench, on one thread.

fn main() -> anyhow::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(httpx_bench::serve())
}
