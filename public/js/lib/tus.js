/** The client of resumable uploads, in a file of its own that only large uploads load. */
export { defaultOptions, Upload } from 'tus-js-client'
