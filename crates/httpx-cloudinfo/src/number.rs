//! Numbers that may be whole: `2`, `2.0` and `0.5` are read alike, and a whole one is written without a fraction, as the
//! server does (RFC 8259 §6 knows one kind of number).

use serde::{Serialize, Serializer};

/// Above this, not every whole number is an `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and within range")]
        return (*number as i64).serialize(serializer);
    }
    number.serialize(serializer)
}
