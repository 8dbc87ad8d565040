CREATE TABLE "social"."preparations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"payload_hash" text NOT NULL,
	"sealed_progress" text NOT NULL,
	"is_ready" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"progressed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "social"."preparations" ADD CONSTRAINT "preparations_id_posts_id_fk" FOREIGN KEY ("id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."preparations" ADD CONSTRAINT "preparations_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;