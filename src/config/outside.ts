import { z } from 'zod'
import { address, originsByHost, routes, web } from './values.ts'

/** Providers, networks and queues that other organizations or processes run. */
export const outsideSettings = {
  /** Sign-in providers (IDN-08): each is offered when it has both an ID and a secret. */
  UPSTREAM_GITHUB_CLIENT_ID: z.string().min(1).optional(),
  UPSTREAM_GITHUB_CLIENT_SECRET: z.string().min(1).optional(),
  UPSTREAM_GITHUB_URL: web.default('https://github.com'),
  UPSTREAM_GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  UPSTREAM_GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  UPSTREAM_OIDC_ISSUER: web.optional(),
  UPSTREAM_OIDC_CLIENT_ID: z.string().min(1).optional(),
  UPSTREAM_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  UPSTREAM_OIDC_NAME: z.string().min(1).max(40).default('single sign-on'),
  SANDBOX_URL: web.optional(),
  /** By default Bluesky's own, except in staging (PLT-26). */
  BLUESKY_RESOLVER_URL: web.optional(),
  PLC_DIRECTORY_URL: web.optional(),
  /** Origins that are called instead of the networks’ own hosts, by host (SOC-06). */
  NETWORK_ORIGINS: originsByHost.default(new Map()),
  /** The practice models' URL; by default this server's own, in development and tests. */
  MODELS_URL: web.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** The practice payment provider's URL without `/v1`; by default this server's own, in development and tests. */
  PAYMENTS_URL: web.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** The practice video provider’s, likewise: `http://127.0.0.1:3200/dev/video`. */
  VIDEO_URL: web.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** An AI gateway at the edge through which providers are called (GTW-13). */
  EDGE_AI_GATEWAY_URL: web.optional(),
  EDGE_AI_GATEWAY_TOKEN: z.string().min(1).optional(),
  /** Providers that it serves, each with its path there. */
  EDGE_AI_GATEWAY_ROUTES: routes.default(
    new Map([
      ['openai', 'openai'],
      ['anthropic', 'anthropic/v1'],
    ]),
  ),
  /** Signs the events of the platform’s own account at the payment provider, when its endpoint was created by hand. */
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', 'Must be a signing secret, such as whsec_….').optional(),
  /** JetStream, which takes reported usage before it is counted. */
  USAGE_INGEST_QUEUE: address(/^nats$/, 'nats://user:password@host:4222').optional(),
}
