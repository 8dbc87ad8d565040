DROP INDEX "social"."media_large";--> statement-breakpoint
ALTER TABLE "social"."media" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "media_sizes" ON "social"."media" USING btree ("brand_id","bytes");--> statement-breakpoint
CREATE INDEX "media_without_alt" ON "social"."media" USING btree ("brand_id","id") WHERE alt = '';--> statement-breakpoint
CREATE INDEX "media_tags" ON "social"."media" USING gin ("tags");--> statement-breakpoint
ALTER INDEX "social"."posts_media" SET (fastupdate = off);