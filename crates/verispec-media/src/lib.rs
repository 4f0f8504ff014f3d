//! Sniffing, safe decoding, named encoding profiles and content hashes of images.
