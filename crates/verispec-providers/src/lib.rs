//! Pure codecs of judge dialects: request to message, bytes to reply.
