//! Is what came what was meant? Hash values as they are published, and their computation on the way.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256, Sha512};

/// The hash value that a body is to have.
///
/// ```
/// use httpx_client::Digest;
///
/// let digest = Digest::sha256("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")?;
/// assert_eq!(digest, "sha256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855".parse()?);
/// # Ok::<(), httpx_client::DigestError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Digest {
    algorithm: Algorithm,
    value: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Sha256,
    Sha512,
}

/// Why a text is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigestError {
    /// Neither `sha256:` nor `sha512:` in front.
    #[error("a digest is sha256:HEX or sha512:HEX")]
    UnknownAlgorithm,
    /// Not hexadecimal.
    #[error("a digest has hexadecimal digits only")]
    NotHexadecimal,
    /// Too many digits or too few.
    #[error("{algorithm} has {right} hexadecimal digits, not {found}")]
    WrongLength {
        /// The algorithm's name.
        algorithm: &'static str,
        /// How many digits there should be.
        right: usize,
        /// How many there are.
        found: usize,
    },
}

impl Digest {
    /// SHA-256, as 64 hexadecimal digits in any case.
    ///
    /// # Errors
    /// When it is not that.
    pub fn sha256(hex: impl AsRef<str>) -> Result<Self, DigestError> {
        Digest::new(Algorithm::Sha256, hex.as_ref())
    }

    /// SHA-512, as 128 hexadecimal digits in any case.
    ///
    /// # Errors
    /// When it is not that.
    pub fn sha512(hex: impl AsRef<str>) -> Result<Self, DigestError> {
        Digest::new(Algorithm::Sha512, hex.as_ref())
    }

    fn new(algorithm: Algorithm, hex: &str) -> Result<Self, DigestError> {
        let digits = hex.trim().chars().map(|digit| digit.to_digit(16)).collect::<Option<Vec<_>>>();
        let digits = digits.ok_or(DigestError::NotHexadecimal)?;
        if digits.len() != algorithm.digits() {
            let (right, found) = (algorithm.digits(), digits.len());
            return Err(DigestError::WrongLength { algorithm: algorithm.name(), right, found });
        }
        let value = digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect();
        Ok(Digest { algorithm, value })
    }

    /// Begins to compute what is to be compared with this.
    pub(crate) fn hasher(&self) -> Hasher {
        match self.algorithm {
            Algorithm::Sha256 => Hasher::Sha256(Sha256::new()),
            Algorithm::Sha512 => Hasher::Sha512(Sha512::new()),
        }
    }
}

impl Algorithm {
    const fn name(self) -> &'static str {
        match self {
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha512 => "sha512",
        }
    }

    const fn digits(self) -> usize {
        match self {
            Algorithm::Sha256 => 64,
            Algorithm::Sha512 => 128,
        }
    }
}

/// A digest of what has come so far.
#[derive(Debug)]
pub(crate) enum Hasher {
    Sha256(Sha256),
    Sha512(Sha512),
}

impl Hasher {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha256(hasher) => hasher.update(bytes),
            Hasher::Sha512(hasher) => hasher.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Digest {
        match self {
            Hasher::Sha256(hasher) => Digest { algorithm: Algorithm::Sha256, value: hasher.finalize().to_vec() },
            Hasher::Sha512(hasher) => Digest { algorithm: Algorithm::Sha512, value: hasher.finalize().to_vec() },
        }
    }
}

/// `sha256:HEX` or `sha512:HEX`.
impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        match text.split_once(':') {
            Some(("sha256", hex)) => Digest::sha256(hex),
            Some(("sha512", hex)) => Digest::sha512(hex),
            Some(_) | None => Err(DigestError::UnknownAlgorithm),
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.algorithm.name())?;
        self.value.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
