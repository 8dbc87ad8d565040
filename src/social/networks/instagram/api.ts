import type { GraphApi } from '../graph/api.ts'
import { apiVersion } from '../graph/version.ts'

export const api: GraphApi = { name: 'Instagram', origin: `https://graph.instagram.com/${apiVersion.name}` }
