CREATE TABLE "social"."loose_files" (
	"key" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."media" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"created_by" uuid NOT NULL,
	"name" text NOT NULL,
	"alt" text NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"animated" boolean NOT NULL,
	"renditions" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_type" CHECK ("social"."media"."content_type" in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
	CONSTRAINT "media_size" CHECK ("social"."media"."width" > 0 and "social"."media"."height" > 0 and "social"."media"."bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "social"."sandbox_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"handle" text NOT NULL,
	"content_type" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "social"."sandbox_receipts" ADD COLUMN "media" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."media" ADD CONSTRAINT "media_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "loose_files_due" ON "social"."loose_files" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "media_newest" ON "social"."media" USING btree ("brand_id","id");--> statement-breakpoint
CREATE INDEX "posts_media" ON "social"."posts" USING gin ("media" jsonb_path_ops) WHERE media <> '[]';--> statement-breakpoint
ALTER TABLE "social"."posts" ADD CONSTRAINT "posts_media_list" CHECK (jsonb_typeof("social"."posts"."media") = 'array');