ALTER TABLE "social"."brands" ADD COLUMN "avoided_words" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."brands" ADD COLUMN "languages" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."brands" ADD COLUMN "hashtag_placements" jsonb DEFAULT '{}'::jsonb NOT NULL;