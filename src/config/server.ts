import { z } from 'zod'
import { flag, key, list, milliseconds, number, postgresUrl, web } from './values.ts'

/** The process itself: its address, database, files and logs. */
export const serverSettings = {
  ATRIUM_ENV: z.enum(['development', 'test', 'staging', 'production']).default('development'),
  PORT: number(0, 65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  /** PostgreSQL's own URL, when DATABASE_URL is a pooler in transaction mode. */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  /** Whether statements are prepared by name. By default true unless DATABASE_DIRECT_URL is set. */
  DATABASE_PREPARE: flag.optional(),
  DATABASE_POOL: number(2, 200).default(10),
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(30_000),
  /** How long a statement waits for a connection or a lock before its request fails with 503. */
  DATABASE_WAIT_MS: milliseconds(5_000),
  PUBLIC_URL: web.optional(),
  SECRETS_KEY: key.optional(),
  SECRETS_KEY_PREVIOUS: list.pipe(z.array(key)).default([]),
  ALLOW_PRIVATE_NETWORK: flag.optional(),
  /** As browsers send it: without a path or a final slash. */
  ALLOWED_ORIGINS: list.pipe(z.array(web.transform((url) => new URL(url).origin))).default([]),
  /** Used instead of the system's, with or without a port. */
  DNS_RESOLVER: z
    .string()
    .regex(
      /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[0-9a-f:]+\](:\d{1,5})?)$/i,
      'Must be an IP address, such as 9.9.9.9 or 127.0.0.1:5353.',
    )
    .optional(),
  /** An S3-compatible store for files instead of a folder of DATA_DIR. */
  S3_ENDPOINT: web.optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** The path of a font for Chinese, Japanese and Korean text in PDFs, such as NotoSansCJKsc-Regular.otf. */
  PDF_CJK_FONT: z.string().min(1).optional(),
  /** The path of ffmpeg, with ffprobe beside it; `off` for none. By default the one on PATH. */
  FFMPEG_PATH: z.string().min(1).optional(),
  TRUSTED_PROXIES: number(0, 10).default(0),
  METRICS_TOKEN: z.string().min(16, 'Must have at least 16 characters.').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: web.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Test only: `<step>:<nth>` kills this process at that step of publishing. */
  KILL_AT: z.string().optional(),
}
