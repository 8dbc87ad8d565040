import type { Media } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { CropFields } from '../media/crop-dialog.tsx'
import { uploadTypes } from '../media/uploads.tsx'
import { durationText } from '../media/file-text.ts'
import { fileHref } from './shots.tsx'

/** As `media-tile.js` writes them. */
function tileFacts({ kind, status, durationMs }: Media): string {
  if (status === 'processing') return 'Processing'
  if (kind === 'document') return 'PDF'
  return durationMs === null ? 'Video' : durationText(durationMs)
}

interface ImagesProps {
  brandId: string
  images: readonly Media[]
}

export const Images = ({ brandId, images }: ImagesProps) => (
  <media-picker data-brand={brandId}>
    <fieldset class="field" id="images" aria-describedby="images-error">
      <legend>
        Media <small class="count" data-room />
      </legend>
      <ol class="media-grid">
        {images.map((image) => (
          <Tile image={image} />
        ))}
        <li>
          <label class="drop">
            <Icon name="upload" />
            <span>
              Drag, paste
              <br />
              or browse
            </span>
            <input type="file" class="visually-hidden" aria-label="Add files" accept={uploadTypes} multiple />
          </label>
        </li>
      </ol>
      <output class="visually-hidden" data-news />
      <p class="error" id="images-error">
        <Icon name="circle-alert" />
        <span />
      </p>
    </fieldset>
    <template>
      <Tile image={null} />
    </template>
    <LibraryDialog />
  </media-picker>
)

/** Filled by its script when it opens. */
const LibraryDialog = () => (
  <Dialog id="library" title="Choose from library">
    <div class="body stack">
      <label class="input">
        <Icon name="search" />
        <input
          type="search"
          placeholder="Search names, tags, alt text"
          aria-label="Search the library"
          maxlength="200"
          autocomplete="off"
        />
      </label>
      <ul class="library-choice" aria-label="Files of the library" />
      <p class="muted" role="status" data-note />
      <span>
        <Button label="Load more" size="sm" data-more hidden />
      </span>
    </div>
    <footer>
      <Button label="Cancel" variant="ghost" commandfor="library" command="close" />
      <Button label="Add" variant="primary" data-add-chosen disabled />
    </footer>
  </Dialog>
)

/** Outside of the form, which would send its fields. */
export const CropImage = () => (
  <Dialog id="crop-image" title="Crop or rotate">
    <div class="body">
      <img class="shown" alt="" />
      <CropFields />
      <p class="error" role="alert" />
    </div>
    <footer>
      <Button label="Cancel" variant="ghost" commandfor="crop-image" command="close" />
      <Button label="Save copy" variant="primary" data-save-copy />
    </footer>
  </Dialog>
)

const Tile = ({ image }: { image: Media | null }) => (
  <li
    class="attach"
    data-name={image?.name ?? ''}
    data-kind={image?.kind}
    data-status={image?.status}
    data-animated={image ? String(image.animated) : undefined}
  >
    <img
      src={image?.renditions.thumb ? fileHref(image.id, 'thumb') : undefined}
      alt=""
      hidden={!image?.renditions.thumb}
    />
    <span class="blank" hidden={!image || Boolean(image.renditions.thumb)}>
      <Icon name="file-text" />
    </span>
    <small class="badge" data-facts hidden={!image || image.kind === 'image'}>
      {image ? tileFacts(image) : ''}
    </small>
    <progress max="1" aria-label="Upload" hidden={image !== null} />
    <Button label="Remove" icon="x" iconOnly size="sm" data-take-out />
    <label class="field">
      <span class="small">Alt text</span>
      <input
        class="input"
        data-alt
        aria-label="Alt text"
        maxlength="1500"
        value={image?.alt ?? ''}
        autocomplete="off"
      />
    </label>
    <input type="hidden" data-id value={image?.id ?? ''} />
    <select class="input" aria-label="Post" hidden />
    <Button label="Crop" icon="crop" variant="ghost" size="sm" data-crop hidden={!image || image.kind !== 'image'} />
    <p class="error" role="alert" safe>
      {image?.failure ?? ''}
    </p>
    <span class="actions" data-try-again hidden>
      <Button label="Retry" size="sm" />
    </span>
    <span class="row order">
      <Button label="Move earlier" icon="chevron-left" iconOnly variant="ghost" size="sm" data-move="-1" />
      <Button label="Move later" icon="chevron-right" iconOnly variant="ghost" size="sm" data-move="1" />
    </span>
  </li>
)
