/** What the server puts before the worker’s files (src/lib/assets/worker.ts). */
declare const worker: ServiceWorkerGlobalScope
/** Of all files of public/. */
declare const release: string
declare const offlinePage: string
