import type { Config } from '#config'
import { createHandler, type Handler } from '#lib/http.ts'
import type { SystemRoute } from '#lib/http/dependencies.ts'
import { rootFiles, serveAsset, serveRootFile } from '#lib/assets.ts'
import type { Provided } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { serveHealth, type Checks } from '#lib/health.ts'
import { acceptsHost } from '#lib/http/routes.ts'
import { createLimits, type Quotas } from '#lib/limits.ts'
import { errorFacts, type Log } from '#lib/log.ts'
import type { Metrics } from '#lib/metrics.ts'
import { requestMetrics, streamMetrics } from '#lib/metrics/own.ts'
import { serveMetrics } from '#lib/metrics/serve.ts'
import { createDocumentHandler } from '#lib/openapi/serve.ts'
import type { Clock } from '#lib/time.ts'
import { Door } from '#views/shell/door.tsx'
import { GuestFrame } from '#views/shell/guest.tsx'
import { Layout } from '#views/shell/layout.tsx'
import { Missing } from '#views/shell/missing.tsx'
import { Site } from '#views/shell/site.tsx'
import { Plain } from '#views/shell/plain.tsx'
import { Steps } from '#views/shell/steps.tsx'
import { ProblemFragment, ProblemPage } from '#views/shell/problem.tsx'
import { describeApiInSlices, mcpOf, placeOf, shellOf, themeOf } from '#platform'
import { serveAppLinks } from './app-links.ts'
import { reservedPaths, sharedPaths } from './hosts.ts'
import { publicUrlOf, serveRobots, serveSitemap } from './public-site.ts'
import { installedApp } from './installed-app.ts'
import { missingAppOf } from './missing-app.ts'

interface AppOptions {
  contexts: readonly Context[]
  database: DatabaseHandle
  provided: Provided
  now: Clock
  log: Log
  checks: () => Promise<Checks>
  metrics: Metrics
}

const quotasOf = (config: Config): Quotas => ({
  reads: config.RATE_LIMIT_READS,
  writes: config.RATE_LIMIT_WRITES,
  uploads: config.RATE_LIMIT_UPLOADS,
  'sign-in': config.RATE_LIMIT_SIGN_IN,
  ai: config.RATE_LIMIT_AI,
  ingestion: config.RATE_LIMIT_INGESTION,
  checks: config.RATE_LIMIT_CHECKS,
})

export function createApp({ contexts, provided, checks, metrics, ...rest }: AppOptions): Handler {
  const { config, identity } = provided
  const hasSite = contexts.some(({ pages }) => pages.some(({ path }) => path === '/contact'))
  const countRequest = requestMetrics(metrics)
  const measureStream = streamMetrics(metrics)
  const onOwnHosts =
    (route: SystemRoute): SystemRoute =>
    (request, facts) =>
      acceptsHost(provided.hosts, facts.url.hostname) ? route(request, facts) : undefined
  const describes = createDocumentHandler(() => describeApiInSlices(contexts, config))
  return createHandler({
    ...rest,
    provided,
    contexts,
    https: config.PUBLIC_URL?.startsWith('https:') ?? false,
    allowedOrigins: config.ALLOWED_ORIGINS,
    hosts: provided.hosts,
    paths: { shared: sharedPaths, reserved: reservedPaths },
    limits: createLimits(rest.database.db, quotasOf(config), 60_000, config.RATE_LIMIT_ORGANIZATION),
    trustedProxies: config.TRUSTED_PROXIES,
    authenticate: identity.validate,
    serviceId: identity.serviceId,
    systemRoutes: new Map<string, SystemRoute>([
      ['assets', onOwnHosts((request) => serveAsset(request))],
      ...rootFiles().map((name) => [name, onOwnHosts((_, { url }) => serveRootFile(url.pathname.slice(1)))] as const),
      ...installedApp(contexts, provided.hosts),
      ['.well-known', onOwnHosts((_, { url }) => serveAppLinks(url.pathname, config))],
      ['sitemap.xml', onOwnHosts((_, { url }) => serveSitemap(contexts, url, config))],
      ['robots.txt', onOwnHosts((_, { url }) => serveRobots(contexts, url, config))],
      ['openapi.json', onOwnHosts((request, { url }) => describes(request, url))],
      // Load balancers and monitors use any host.
      ['metrics', (_, facts) => serveMetrics(metrics, config.METRICS_TOKEN, facts.url, facts)],
      ['healthz', (_, { url }) => serveHealth(url, checks)],
      ['readyz', (_, { url }) => serveHealth(url, checks)],
    ]),
    mcp: mcpOf(contexts, config, identity),
    measure: (sample, context) => {
      countRequest(sample)
      provided.monitorRequest(context, sample.seconds)
    },
    measureStream,
    frame: async ({ frame, context, ...parts }, call) => {
      const theme = themeOf(call.request, config)
      if (frame === 'site' || frame === 'checkout')
        return <Site {...parts} theme={theme} url={publicUrlOf(call, config)} isCheckout={frame === 'checkout'} />
      if (frame === 'door') return <Door {...parts} theme={theme} />
      if (frame === 'guest') return <GuestFrame {...parts} theme={theme} />
      if (frame === 'plain' || !call.actor) return <Plain {...parts} theme={theme} />
      const shell = await shellOf(contexts, { frame, context }, call, call.actor)
      if (frame === 'steps') return <Steps {...parts} shell={shell} />
      return <Layout {...parts} shell={shell} />
    },
    problem: (problem) => <ProblemFragment problem={problem} />,
    problemPage: async (problem, call, signedIn) => {
      const { title } = problem
      const missingApp =
        problem.code === 'permission_missing' && call.actor ? await missingAppOf(contexts, call, call.actor) : null
      const content = (
        <ProblemPage
          problem={problem}
          missingApp={missingApp}
          signedIn={signedIn}
          method={call.request.method}
          role={call.actor?.organization?.role ?? null}
        />
      )
      const theme = themeOf(call.request, config)
      if (!call.actor && hasSite && problem.status === 404)
        return (
          <Site
            title={title}
            content={<Missing path={call.request.url.pathname} requestId={problem.requestId} />}
            theme={theme}
            url={null}
          />
        )
      if (!call.actor) return <Plain title={title} content={content} theme={theme} />
      const shell = await shellOf(
        contexts,
        placeOf(contexts, call.request.url.pathname, call.actor),
        call,
        call.actor,
      ).catch((error: unknown) => {
        if (!(error instanceof Problem) || error.status >= 500)
          rest.log.error('frame of a problem failed', { request: call.request.id, ...errorFacts(error) })
        return null
      })
      if (!shell) return <Plain title={title} content={content} theme={theme} />
      return <Layout title={title} content={content} shell={shell} header="own" />
    },
  })
}
