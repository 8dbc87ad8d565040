import type { DatabaseHandle } from '../db.ts'
import { logFault } from '../log/fault.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

const latencies = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface RequestSample {
  method: string
  route: string
  status: number
  seconds: number
}

export function requestMetrics(metrics: Metrics): (measured: RequestSample) => void {
  const requests = metrics.counter('atrium_http_requests_total', 'Requests handled.')
  const durations = metrics.histogram(
    'atrium_http_request_duration_seconds',
    'Time to respond to a request.',
    latencies,
  )
  return ({ method, route, status, seconds }) => {
    requests.add({ method, route, status })
    durations.observe({ method, route }, seconds)
  }
}

export function streamMetrics(metrics: Metrics): (ended: { route: string; outcome: string }) => void {
  const streams = metrics.counter('atrium_http_streams_total', 'Finished streamed responses, by outcome.')
  return ({ route, outcome }) => streams.add({ route, outcome })
}

export function processMetrics(metrics: Metrics): void {
  const startedAt = Date.now() / 1000 - process.uptime()
  const cpu = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  metrics.gauge('process_resident_memory_bytes', 'Memory of this process.', () => [
    { value: process.memoryUsage.rss() },
  ])
  metrics.gauge('process_cpu_seconds_total', 'Processor time of this process.', () => [{ value: cpu() }])
  metrics.gauge('process_start_time_seconds', 'When this process started.', () => [{ value: startedAt }])
}

export function databaseMetrics(metrics: Metrics, { sql }: DatabaseHandle, pool: number): void {
  metrics.gauge('atrium_database_pool_size', 'Connections that this server can open for requests.', () => [
    { value: pool },
  ])
  metrics.gauge('atrium_database_connections', 'Database connections of all servers, by state.', async () => {
    const rows = await sql<{ state: string; value: number }[]>`
      SELECT coalesce(state, 'unknown') AS state, count(*)::int AS value FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'atrium' GROUP BY 1`
    return rows.map(({ state, value }) => ({ labels: { state }, value }))
  })
  metrics.gauge('atrium_queue_jobs', 'Jobs of the queue by state, counted every 10 s.', async () => {
    const rows = await sql<{ queue: string; state: string; value: number }[]>`
      SELECT name AS queue, state, value FROM pgboss.queue CROSS JOIN LATERAL (VALUES
        ('deferred', deferred_count), ('ready', ready_count), ('active', active_count), ('failed', failed_count)
      ) AS counts (state, value) WHERE name NOT LIKE '\\_\\_pgboss%'`
    return rows.map(({ queue, state, value }) => ({ labels: { queue, state }, value }))
  })
}

export function socketMetrics(metrics: Metrics, open: () => number): void {
  metrics.gauge('atrium_sockets_open', 'Open WebSockets.', () => [{ value: open() }])
}

export function outsideCallMetrics(metrics: Metrics, log: Log): (call: string) => void {
  const calls = metrics.counter(
    'atrium_outside_calls_in_transaction_total',
    'Outgoing calls made while a database transaction was open.',
  )
  return (call) => {
    calls.add({ call })
    logFault(log, 'an outside call was made while a transaction was open', new Error(call))
  }
}
