const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

/** Bytes of one file. */
export const largestUpload = 4 * gibibyte

/** Of one organization: bytes of its uploads and videos, and uploads that aren't complete. */
export const ofOrganization = { bytes: 50 * gibibyte, unfinished: 100 }

/** Bytes after which what arrives is kept: so much of an upload is in memory, and lost when a server is killed. */
export const partBytes = 4 * mebibyte

/** Pieces of which one file can be made. */
export const mostParts = 10_000

/** Milliseconds after the last piece, or after the end, until an upload is deleted. */
export const uploadLife = 24 * 60 * 60 * 1000
