import { z } from 'zod'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import { invalid } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { VideoQuotaCard } from '#views/gateway/limits/video-quota.tsx'
import { GoogleProject, QuotaBucket, VideoQuota, VideoQuotaLimit } from '../contract/video.ts'
import { bucketLimits } from './costs.ts'
import { pacificDay } from './pacific-day.ts'
import { reportQuota } from './quota-report.ts'
import { setQuotaLimit } from './quota.ts'

export const getVideoQuota = operation({
  route: 'GET /api/video-quota',
  summary: 'Get the video quota',
  permission: 'usage:read',
  input: z.object({}),
  output: VideoQuota,
  run: (call) => reportQuota(call, organizationOf(call.actor, 'usage:read')),
  view: (quota) => <VideoQuotaCard quota={quota} />,
})

export const setVideoQuotaLimit = operation({
  route: 'PUT /api/video-quota/:project',
  summary: 'Set the video quota of a project',
  permission: 'super-admin',
  input: z.object({
    project: GoogleProject,
    bucket: QuotaBucket,
    limit: z.int().min(0).max(1_000_000_000).nullable().describe('Units a day that Google granted; null: the usual.'),
  }),
  output: VideoQuotaLimit,
  run: async ({ db, input, now }) => {
    const { project, bucket, limit } = input
    const usual = bucketLimits(pacificDay(now()).day).get(bucket)
    if (usual === undefined)
      throw invalid([{ path: 'bucket', message: 'Must be a bucket of today, such as videos.insert.' }])
    await setQuotaLimit(db, input, now())
    recordChange(db, { object: 'video_quota', id: project, after: { bucket, limit } })
    return { project, bucket, limit: limit ?? usual, isDefault: limit === null }
  },
})
