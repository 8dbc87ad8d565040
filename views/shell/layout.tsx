import { Document } from './document.tsx'
import { NewBrandDialog } from './new-brand.tsx'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { Tabbar, Topbar } from './narrow.tsx'
import type { Shell } from './shell.ts'

interface LayoutProps {
  title: string
  content: JSX.Element
  shell: Shell
  screen?: string
}

/** The frame of signed-in pages: the sidebar, or bars on narrow screens, and the content. */
export const Layout = ({ title, content, shell, screen }: LayoutProps) => (
  <Document title={title} screens={screen ? [screen] : []} theme={shell.theme}>
    <a class="skip" href="#main">
      Skip to content
    </a>
    <div class="shell">
      <Topbar shell={shell} />
      <Sidebar shell={shell} />
      <main class="main" id="main" tabindex="-1">
        {content}
      </main>
      <Tabbar shell={shell} />
    </div>
    {shell.may.writeBrands ? <NewBrandDialog /> : null}
    <Palette />
  </Document>
)
