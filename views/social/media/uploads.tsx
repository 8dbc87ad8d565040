import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

/** Types by their names; the server detects the type from the content. */
export const uploadTypes =
  'image/jpeg,image/png,image/webp,image/gif,video/mp4,video/quicktime,video/webm,application/pdf,.mov,.mp4,.webm'

/** The files that this browser uploads; `media-library.js` fills it, and a refresh of the page leaves it as it is. */
export const Uploads = () => (
  <>
    <input
      type="file"
      class="visually-hidden"
      id="chosen-files"
      aria-label="Upload files"
      accept={uploadTypes}
      multiple
    />
    <section class="card" id="uploads" aria-labelledby="uploads-title" hidden hx-morph-skip="">
      <header>
        <h2 id="uploads-title" data-title>
          Uploads
        </h2>
        <Button label="Clear finished" size="sm" variant="ghost" data-clear-finished />
      </header>
      <ul class="list uploads" style="--pad: 1rem" />
      <output class="visually-hidden" data-news />
      <template>
        <li>
          <Icon name="upload" />
          <span class="grow">
            <span class="row">
              <b class="truncate" data-name />
              <small class="nowrap" data-size />
            </span>
            <progress class="progress" max="1" value="0" />
            <small class="muted" data-note />
          </span>
          <span class="actions">
            <Button label="Pause" size="sm" variant="ghost" data-pause hidden />
            <Button label="Resume" size="sm" data-resume hidden />
            <Button label="Retry" size="sm" data-retry hidden />
            <Button label="Remove" icon="x" iconOnly size="sm" variant="ghost" data-remove />
          </span>
        </li>
      </template>
    </section>
  </>
)

export const DropHint = () => (
  <div class="drop-hint" hidden>
    <Icon name="upload" />
    <p>Drop files to upload them</p>
  </div>
)

export const FromUrlDialog = ({ brandId }: { brandId: string }) => (
  <Dialog id="from-url" title="Add an image from a URL">
    <Form hx-post="/api/media">
      <input type="hidden" name="brandId" value={brandId} />
      <div class="body">
        <TextField
          label="URL"
          name="url"
          id="image-url"
          type="url"
          placeholder="https://example.com/latte.jpg"
          hint="An image of up to 20 MB."
          required
          autofocus
        />
        <TextField
          label="Alt text"
          name="alt"
          id="url-alt"
          hint="Optional. Describes the image for people who can’t see it."
          maxlength={1500}
          autocomplete="off"
        />
      </div>
      <DialogButtons dialog="from-url" submit="Add" />
    </Form>
  </Dialog>
)
