CREATE TABLE "social"."deleted_posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"post" jsonb NOT NULL,
	"attempts" jsonb NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."unsaved_posts" (
	"id" uuid NOT NULL,
	"brand_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"post_id" uuid,
	"base_version" integer,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unsaved_posts_person_id_id_pk" PRIMARY KEY("person_id","id"),
	CONSTRAINT "unsaved_posts_base" CHECK ("social"."unsaved_posts"."post_id" is null or "social"."unsaved_posts"."base_version" is not null)
);
--> statement-breakpoint
ALTER TABLE "social"."deleted_posts" ADD CONSTRAINT "deleted_posts_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."unsaved_posts" ADD CONSTRAINT "unsaved_posts_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."unsaved_posts" ADD CONSTRAINT "unsaved_posts_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "social"."posts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_posts_oldest" ON "social"."deleted_posts" USING btree ("deleted_at");--> statement-breakpoint
CREATE INDEX "deleted_posts_brand" ON "social"."deleted_posts" USING btree ("brand_id");--> statement-breakpoint
CREATE UNIQUE INDEX "unsaved_posts_post" ON "social"."unsaved_posts" USING btree ("post_id","person_id");--> statement-breakpoint
CREATE INDEX "unsaved_posts_person" ON "social"."unsaved_posts" USING btree ("person_id","brand_id","updated_at");--> statement-breakpoint
CREATE INDEX "unsaved_posts_brand" ON "social"."unsaved_posts" USING btree ("brand_id");--> statement-breakpoint
CREATE INDEX "unsaved_posts_oldest" ON "social"."unsaved_posts" USING btree ("updated_at");