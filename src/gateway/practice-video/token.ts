import { insufficientScope, invalidCredentials, missingCredentials } from './google-error.ts'

export type Scope = 'read' | 'upload' | 'manage'

/** Who a token belongs to: the project of its OAuth client, and an account. */
export interface Bearer {
  project: string
  account: string
  scopes: ReadonlySet<Scope>
}

/** `ya29.<project number>.<account>`, then optionally `.readonly` or `.upload`, and anything that makes it differ. */
const format = /^ya29\.(?<project>\d{1,20})\.(?<account>[a-z0-9_-]{1,40})(?:\.(?<rest>[\w.-]+))?$/

const scopesOf: Record<string, Scope[]> = { readonly: ['read'], upload: ['upload'] }

/** @throws {GoogleError} 401 for a missing, malformed or expired token */
export function authenticate(headers: Headers): Bearer {
  const header = headers.get('authorization')
  if (header === null) throw missingCredentials()
  const { project, account, rest = '' } = format.exec(/^Bearer (\S+)$/i.exec(header)?.[1] ?? '')?.groups ?? {}
  if (!project || !account || rest.split('.').includes('expired')) throw invalidCredentials()
  const scopes = scopesOf[rest.split('.', 1)[0] ?? ''] ?? ['read', 'upload', 'manage']
  return { project, account, scopes: new Set(scopes) }
}

/** @throws {GoogleError} 403 */
export function requireScope({ scopes }: Bearer, scope: Scope): void {
  if (!scopes.has(scope)) throw insufficientScope()
}

export const hasChannel = ({ account }: Bearer): boolean => !account.startsWith('nochannel')
export const hasReachedUploadLimit = ({ account }: Bearer): boolean => account.startsWith('limited')
/** Projects that Google has not audited can upload private videos only. */
export const isAudited = (project: string): boolean => !project.startsWith('9')
