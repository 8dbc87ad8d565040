import type { Config } from '#config'
import { github } from './github.ts'
import { oidc } from './oidc.ts'
import type { Protocol, Provider } from './provider.ts'

export const protocols: Record<Provider['kind'], Protocol> = { oidc, github }

export const configuredProviders = (config: Config): Provider[] =>
  [githubOf(config), googleOf(config), oidcOf(config)].filter((provider) => provider !== null)

function githubOf(config: Config): Provider | null {
  const { UPSTREAM_GITHUB_CLIENT_ID: clientId, UPSTREAM_GITHUB_CLIENT_SECRET: clientSecret } = config
  const issuer = config.UPSTREAM_GITHUB_URL.replace(/\/$/, '')
  return clientId && clientSecret
    ? { id: 'github', name: 'GitHub', kind: 'github', issuer, clientId, clientSecret }
    : null
}

const google = { id: 'google', name: 'Google', kind: 'oidc', issuer: 'https://accounts.google.com' } as const

function googleOf(config: Config): Provider | null {
  const { UPSTREAM_GOOGLE_CLIENT_ID: clientId, UPSTREAM_GOOGLE_CLIENT_SECRET: clientSecret } = config
  return clientId && clientSecret ? { ...google, clientId, clientSecret } : null
}

function oidcOf(config: Config): Provider | null {
  const { UPSTREAM_OIDC_CLIENT_ID: clientId, UPSTREAM_OIDC_CLIENT_SECRET: clientSecret } = config
  const { UPSTREAM_OIDC_ISSUER: issuer, UPSTREAM_OIDC_NAME: name } = config
  return issuer && clientId && clientSecret ? { id: 'oidc', name, kind: 'oidc', issuer, clientId, clientSecret } : null
}

export const offeredProviders = (config: Config): Pick<Provider, 'id' | 'name'>[] =>
  configuredProviders(config).map(({ id, name }) => ({ id, name }))
