/** What the server puts before the worker’s files (src/lib/assets/worker.ts). */
declare const worker: ServiceWorkerGlobalScope
/** Of all files of public/. */
declare const release: string
declare const offlinePage: string
/** Requests, as method and path, after which nothing of the person stays in this browser. */
declare const endsSession: ReadonlySet<string>
