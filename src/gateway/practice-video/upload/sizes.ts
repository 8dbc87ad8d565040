const kibibyte = 1024

/** All chunks but the last are multiples of it, and so is what remains of a chunk that breaks off. */
export const granuleBytes = 256 * kibibyte
/** Received bytes are recorded at least this often. */
export const pieceBytes = 4 * kibibyte * kibibyte
export const maxVideoBytes = 256 * kibibyte ** 3
export const maxThumbnailBytes = 2 * kibibyte * kibibyte
export const maxMetadataBytes = 64 * kibibyte

/** From its start until a session is unknown. */
export const sessionLifeMs = 24 * 60 * 60 * 1000
