import { erasureJob } from '#identity'
import { eraseOrganization } from './erase-organization.ts'

/** Erases what social keeps of organizations whose deletion is final. */
export const eraseOrganizations = erasureJob({ name: 'social.erase-organizations', erase: eraseOrganization })
