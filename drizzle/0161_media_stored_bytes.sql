DROP INDEX "social"."media_sizes";--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "stored_bytes" bigint GENERATED ALWAYS AS (bytes + coalesce((renditions #>> '{thumb,bytes}')::bigint, 0)
          + coalesce((renditions #>> '{preview,bytes}')::bigint, 0) + coalesce((renditions #>> '{web,bytes}')::bigint, 0)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "media_sizes" ON "social"."media" USING btree ("brand_id","stored_bytes");