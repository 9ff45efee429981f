//! Every fault, proven with a bare socket: what the peer sees, and what the journal holds.

mod bare;

mod request;
