//! The builtin judge: OCR, shapes, colours and counts, abstaining on the rest.
