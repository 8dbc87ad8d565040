import type { GraphApi } from '../graph/api.ts'

export const api: GraphApi = { name: 'Threads', origin: 'https://graph.threads.net/v1.0' }

export const scopes = ['threads_basic', 'threads_content_publish'] as const
