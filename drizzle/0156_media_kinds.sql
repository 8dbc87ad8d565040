ALTER TABLE "social"."media" DROP CONSTRAINT "media_type";--> statement-breakpoint
ALTER TABLE "social"."media" DROP CONSTRAINT "media_size";--> statement-breakpoint
ALTER TABLE "social"."media" ALTER COLUMN "width" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."media" ALTER COLUMN "height" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."media" ALTER COLUMN "bytes" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "kind" text DEFAULT 'image' NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "status" text DEFAULT 'ready' NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "duration_ms" bigint;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "frames" integer;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "frame_rate" real;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "rotation" smallint;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "video_codec" text;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "audio_codec" text;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "has_audio" boolean;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "pages" integer;--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "transcoding" jsonb;--> statement-breakpoint
CREATE INDEX "media_large" ON "social"."media" USING btree ("brand_id","bytes") WHERE kind <> 'image';--> statement-breakpoint
ALTER TABLE "social"."media" ADD CONSTRAINT "media_kind" CHECK (case "social"."media"."kind"
        when 'image' then "social"."media"."content_type" in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')
          and "social"."media"."width" is not null and "social"."media"."pages" is null and "social"."media"."video_codec" is null
        when 'video' then "social"."media"."content_type" in ('video/mp4', 'video/quicktime', 'video/webm')
          and "social"."media"."pages" is null and "social"."media"."frames" is null and not "social"."media"."animated"
        when 'document' then "social"."media"."content_type" = 'application/pdf' and "social"."media"."width" is null
          and "social"."media"."duration_ms" is null and "social"."media"."video_codec" is null and not "social"."media"."animated"
        else false end);--> statement-breakpoint
ALTER TABLE "social"."media" ADD CONSTRAINT "media_status" CHECK ("social"."media"."status" in ('processing', 'ready', 'failed'));--> statement-breakpoint
ALTER TABLE "social"."media" ADD CONSTRAINT "media_failed" CHECK (("social"."media"."status" = 'failed') = ("social"."media"."failure" is not null));--> statement-breakpoint
ALTER TABLE "social"."media" ADD CONSTRAINT "media_facts" CHECK (coalesce("social"."media"."duration_ms" >= 0, true) and coalesce("social"."media"."frames" > 0, true)
        and coalesce("social"."media"."frame_rate" > 0, true) and coalesce("social"."media"."rotation" in (0, 90, 180, 270), true)
        and coalesce("social"."media"."pages" > 0, true) and coalesce("social"."media"."has_audio", true) >= ("social"."media"."audio_codec" is not null));--> statement-breakpoint
ALTER TABLE "social"."media" ADD CONSTRAINT "media_size" CHECK ("social"."media"."bytes" > 0 and ("social"."media"."width" is null) = ("social"."media"."height" is null)
        and coalesce("social"."media"."width" > 0 and "social"."media"."height" > 0, true));