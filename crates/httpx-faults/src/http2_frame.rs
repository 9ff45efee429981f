//! HTTP/2 frames (RFC 9113 §4 and §6), as many of them as a server needs that counts on its peer's good will.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use loona_hpack::encoder::encode_integer;

/// What a client says first (RFC 9113 §3.4).
pub(crate) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(crate) const DATA: u8 = 0x0;
pub(crate) const HEADERS: u8 = 0x1;
pub(crate) const RST_STREAM: u8 = 0x3;
pub(crate) const SETTINGS: u8 = 0x4;
pub(crate) const PING: u8 = 0x6;
pub(crate) const GOAWAY: u8 = 0x7;
pub(crate) const WINDOW_UPDATE: u8 = 0x8;
pub(crate) const CONTINUATION: u8 = 0x9;

pub(crate) const END_STREAM: u8 = 0x1;
pub(crate) const ACK: u8 = 0x1;
pub(crate) const END_HEADERS: u8 = 0x4;
const PADDED: u8 = 0x8;
const PRIORITY: u8 = 0x20;

/// What every peer takes without being asked (RFC 9113 §4.2).
pub(crate) const MAX_FRAME_SIZE: usize = 16_384;

const HEADER_SIZE: usize = 9;
const INITIAL_WINDOW_SIZE: u16 = 0x4;
const MAX_WINDOW: u32 = 0x7fff_ffff;
const DEFAULT_WINDOW: u32 = 65_535;

/// One frame.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
    pub(crate) stream: u32,
    pub(crate) payload: Bytes,
}

impl Frame {
    /// Takes the next frame off `buffer`, once it is there in full.
    pub(crate) fn take(buffer: &mut BytesMut) -> Option<Self> {
        let head = buffer.get(..HEADER_SIZE)?;
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        let (kind, flags) = (head[3], head[4]);
        let stream = u32::from_be_bytes([head[5] & 0x7f, head[6], head[7], head[8]]);
        if buffer.len() < HEADER_SIZE + length {
            return None;
        }
        buffer.advance(HEADER_SIZE);
        Some(Self { kind, flags, stream, payload: buffer.split_to(length).freeze() })
    }

    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The payload of DATA or HEADERS without padding and priority; empty when they claim more than there is.
    pub(crate) fn content(&self) -> Bytes {
        let mut content = self.payload.clone();
        let padding = if self.has(PADDED) { usize::from(content.try_get_u8().unwrap_or(0)) } else { 0 };
        if self.kind == HEADERS && self.has(PRIORITY) {
            content.advance(content.len().min(5));
        }
        content.truncate(content.len().saturating_sub(padding));
        content
    }
}

/// Appends a frame; `payload` has at most [`MAX_FRAME_SIZE`] bytes.
pub(crate) fn put(into: &mut BytesMut, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
    into.put_uint(payload.len() as u64, 3);
    into.put_u8(kind);
    into.put_u8(flags);
    into.put_u32(stream);
    into.put_slice(payload);
}

/// What the server says first: streams and connection get the largest window there is.
pub(crate) fn opening() -> BytesMut {
    let mut settings = BytesMut::new();
    settings.put_u16(INITIAL_WINDOW_SIZE);
    settings.put_u32(MAX_WINDOW);
    let mut opening = BytesMut::new();
    put(&mut opening, SETTINGS, 0, 0, &settings);
    put_credit(&mut opening, 0, MAX_WINDOW - DEFAULT_WINDOW);
    opening
}

/// Appends a WINDOW_UPDATE; stream 0 is the connection.
pub(crate) fn put_credit(into: &mut BytesMut, stream: u32, credit: u32) {
    put(into, WINDOW_UPDATE, 0, stream, &credit.to_be_bytes());
}

/// Appends a GOAWAY with NO_ERROR.
pub(crate) fn put_go_away(into: &mut BytesMut, last_stream: u32) {
    put(into, GOAWAY, 0, 0, &[last_stream.to_be_bytes(), [0; 4]].concat());
}

/// Appends a field line to a header block: a literal that no table needs to hold (RFC 7541 §6.2.2).
pub(crate) fn put_field(block: &mut BytesMut, name: &str, value: &str) {
    block.put_u8(0);
    for text in [name, value] {
        block.put_slice(&encode_integer(text.len(), 7));
        block.put_slice(text.as_bytes());
    }
}
