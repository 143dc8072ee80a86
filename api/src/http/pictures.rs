//! The pictures drawn last, and the queue for others.

use actix_web::web::Bytes;
use plybook_events::Hash;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

/// How many pictures are drawn at once, and how many requests may wait for that.
const AT_ONCE: usize = 2;
const WAITING: usize = 16;

/// The most bytes of all pictures that are kept, and those of a usual one.
const BYTES_MAX: u64 = 16 << 20;
const BYTES_USUAL: u64 = 64 << 10;

/// Draws a few pictures at a time, for all clients together, and keeps those asked for last.
pub(crate) struct Pictures {
    /// For those that are drawn or wait.
    places: Semaphore,
    /// For those that are drawn.
    turns: Semaphore,
    /// By what they depend on.
    kept: Cache<Hash, Bytes, Weight>,
}

/// Too many pictures are being drawn already.
#[derive(Debug)]
pub(crate) struct Busy;

#[derive(Clone)]
struct Weight;

impl Weighter<Hash, Bytes> for Weight {
    fn weight(&self, _: &Hash, picture: &Bytes) -> u64 {
        picture.len() as u64
    }
}

impl Pictures {
    pub(super) fn new() -> Self {
        Self {
            places: Semaphore::new(AT_ONCE + WAITING),
            turns: Semaphore::new(AT_ONCE),
            kept: Cache::with_weighter((BYTES_MAX / BYTES_USUAL) as usize, BYTES_MAX, Weight),
        }
    }

    /// The picture that depends on `basis` and nothing else: the kept one, or what `draw` gives once it is its turn, which is
    /// kept then. A caller who goes away gives up the place.
    ///
    /// # Errors
    /// Too many wait already, or any error of `draw`.
    pub(crate) async fn get<E>(
        &self,
        basis: Hash,
        draw: impl Future<Output = Result<Bytes, E>>,
    ) -> Result<Result<Bytes, E>, Busy> {
        if let Some(kept) = self.kept.get(&basis) {
            return Ok(Ok(kept));
        }
        let _place = self.places.try_acquire().map_err(|_| Busy)?;
        let _turn = self.turns.acquire().await.map_err(|_| Busy)?;
        // Somebody before may have wanted the same.
        if let Some(kept) = self.kept.get(&basis) {
            return Ok(Ok(kept));
        }
        let drawn = draw.await;
        if let Ok(picture) = &drawn {
            self.kept.insert(basis, picture.clone());
        }
        Ok(drawn)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn few_are_drawn_at_once_few_wait_and_none_is_drawn_twice() {
        let (pictures, drawing, most, drawn) =
            (Pictures::new(), AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let draw = async |_: usize| {
            drawn.fetch_add(1, Ordering::SeqCst);
            most.fetch_max(drawing.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(5)).await;
            drawing.fetch_sub(1, Ordering::SeqCst);
            Ok::<_, ()>(Bytes::from_static(b"picture"))
        };
        let basis = |number: usize| Hash::of_parts(&[&number.to_be_bytes()]);
        let all = (0..40).map(|number| pictures.get(basis(number), draw(number)));
        let answers = join_all(all).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_err()).count(), 40 - AT_ONCE - WAITING);
        assert_eq!(most.load(Ordering::SeqCst), AT_ONCE);
        let same = join_all((0..9).map(|number| pictures.get(basis(99), draw(number)))).await;
        assert!(same.iter().all(|answer| matches!(answer, Ok(Ok(_)))));
        assert_eq!(drawn.load(Ordering::SeqCst), AT_ONCE + WAITING + AT_ONCE, "two began together");
        pictures.get(basis(0), draw(0)).await.expect("there is a place").expect("it is kept");
        assert_eq!(drawn.load(Ordering::SeqCst), AT_ONCE + WAITING + AT_ONCE);
        let failed = pictures.get(basis(100), async { Err::<Bytes, _>("no") }).await.expect("there is a place");
        assert_eq!(failed, Err("no"));
    }
}
