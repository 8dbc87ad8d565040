import { OrganizationApps } from './organization-plan.tsx'

export type AppsPageProps = Parameters<typeof OrganizationApps>[0]

export const Apps = (props: AppsPageProps) => (
  <div class="page stack" style="--measure: 60rem">
    <OrganizationApps {...props} />
  </div>
)
