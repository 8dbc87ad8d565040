const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

export const maxUploadBytes = 4 * gibibyte

export const organizationLimits = { unfinished: 100 }

/** After which a chunk is saved: the maximum of an upload in memory, which is lost when a server is killed. */
export const partBytes = 4 * mebibyte

/** Concurrent PATCH requests: each holds up to `partBytes` in memory. */
export const maxSenders = { total: 32, perOrganization: 4, perPerson: 8 }

/** Minimum average size of an upload's parts in bytes; the last part and `freeParts` others can be smaller. */
export const minPartBytes = 256 * 1024
export const freeParts = 32

/** From the last chunk, or completion, until an upload is deleted. */
export const uploadLifeMs = 24 * 60 * 60 * 1000
