//! What every token store must do; a store of your own is one more row.

use std::sync::Arc;
use std::time::Duration;

use httpx_client::{MemoryStore, TokenStore, Tokens};

fn tokens(access: &str, version: u64) -> Tokens {
    Tokens::restore(access, "r", version).unwrap()
}

#[tokio::test]
async fn the_memory_store_keeps_the_promises_of_a_store() {
    keeps_its_promises(Arc::new(MemoryStore::default()), "alice").await;
}

/// Versions only go up, and a lease is one caller's at a time.
pub(crate) async fn keeps_its_promises(store: Arc<dyn TokenStore>, id: &str) {
    assert_eq!(store.get(id).await.unwrap(), None);
    assert_eq!(store.put_if_absent(id, tokens("a", 0)).await.unwrap(), tokens("a", 0));
    assert_eq!(store.put_if_absent(id, tokens("b", 5)).await.unwrap(), tokens("a", 0));
    assert_eq!(store.put(id, tokens("c", 2)).await.unwrap(), tokens("c", 2));
    for late in [tokens("d", 2), tokens("d", 1), tokens("d", 0)] {
        assert_eq!(store.put(id, late).await.unwrap(), tokens("c", 2));
    }
    assert_eq!(store.get(id).await.unwrap(), Some(tokens("c", 2)));
    let bare = Tokens::restore("e", "", 3).unwrap();
    assert_eq!(store.put(id, bare.clone()).await.unwrap(), bare);

    let long = Duration::from_secs(60);
    let first = store.lease(id, long).await.unwrap().unwrap();
    assert_eq!(store.lease(id, long).await.unwrap(), None);
    assert!(store.lease("somebody else", long).await.unwrap().is_some());
    store.release(id, first.clone()).await.unwrap();
    let second = store.lease(id, Duration::from_millis(40)).await.unwrap().unwrap();
    assert_ne!(first, second);
    store.release(id, first).await.unwrap(); // Long over: it frees nothing.
    assert_eq!(store.lease(id, long).await.unwrap(), None);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let third = store.lease(id, long).await.unwrap().unwrap();
    store.release(id, second).await.unwrap();
    assert_eq!(store.lease(id, long).await.unwrap(), None);
    store.release(id, third).await.unwrap();

    store.remove(id).await.unwrap();
    assert_eq!(store.get(id).await.unwrap(), None);
    store.remove(id).await.unwrap();
}
