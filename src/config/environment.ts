import { z } from 'zod'
import { limitsSettings } from './limits.ts'
import { mailSettings } from './mail.ts'
import { operatorSettings } from './operator.ts'
import { outsideSettings } from './outside.ts'
import { serverSettings } from './server.ts'
import { servicesSettings } from './services.ts'

export const Environment = z.object({
  ...serverSettings,
  ...servicesSettings,
  ...mailSettings,
  ...outsideSettings,
  ...limitsSettings,
  ...operatorSettings,
})
export type Environment = z.output<typeof Environment>
