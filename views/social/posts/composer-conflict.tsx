import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'

/** Shown by `post-composer` when the post was changed since the form was opened: both texts, and a choice. */
export const Conflict = () => (
  <template data-conflict>
    <Notice
      tone="warning"
      role="alert"
      title="This post was changed while you edited it"
      text="Both versions are kept until you choose."
    >
      <div class="versions">
        <Version title="Saved version" name="theirs" />
        <Version title="Your version" name="mine" />
      </div>
      <div class="actions">
        <Button label="Keep mine" size="sm" variant="primary" data-keep-mine />
        <Button label="Use theirs" size="sm" data-use-theirs />
      </div>
    </Notice>
  </template>
)

const Version = ({ title, name }: { title: string; name: 'theirs' | 'mine' }) => (
  <section class="preview" aria-labelledby={`${name}-title`}>
    <header>
      <h2 id={`${name}-title`} safe>
        {title}
      </h2>
    </header>
    <p data-version={name} />
  </section>
)
