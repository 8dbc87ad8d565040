import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { lineText, optionalField, plainText } from '#lib/text.ts'
import { TimeZone } from '#lib/time.ts'

export const WorkflowTemplate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  event: z.string().nullable().describe('The event that starts it; null for a schedule.'),
  cron: z.string().nullable(),
  steps: z.array(z.enum(['action', 'notify', 'webhook'])),
  needsUrl: z.boolean().describe('It calls a webhook, whose URL you enter.'),
  can: z.object({ use: z.boolean() }),
})
export type WorkflowTemplate = z.output<typeof WorkflowTemplate>

export const WorkflowTemplateList = listOf(WorkflowTemplate)

export const TemplateUse = z.object({
  template: plainText(60),
  name: optionalField(lineText(100)).describe('By default the name of the template.'),
  timeZone: TimeZone.default('UTC').describe('Of a template with a schedule.'),
  url: optionalField(plainText(2000).trim()).describe('Required by templates that call a webhook.'),
  state: z.enum(['enabled', 'paused']).default('paused'),
})
export type TemplateUse = z.output<typeof TemplateUse>
