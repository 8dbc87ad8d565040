import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Document } from './layout.tsx'
import type { Shell } from './shell.ts'

interface StepsProps {
  title: string
  content: JSX.Element
  screen?: string
  shell: Pick<Shell, 'user' | 'theme'>
}

/** A wide door: who is signed in, and a way out. */
export const Steps = ({ title, content, screen, shell: { user, theme } }: StepsProps) => (
  <Document
    title={title}
    screens={['identity', ...(screen?.split(' ') ?? [])]}
    class="door wide"
    theme={theme}
    isPrivate
  >
    <header>
      <span class="row">
        <span class="app-mark">
          <Icon name="layout-grid" />
        </span>
        <b>Atrium</b>
      </span>
      <span class="push">
        <span class="truncate" safe>
          {user.name}
        </span>
        <Form hx-post="/api/auth/logout" data-person={user.id}>
          <Button label="Sign out" variant="ghost" size="sm" type="submit" />
        </Form>
      </span>
    </header>
    <main>{content}</main>
  </Document>
)
