CREATE TABLE "social"."generated_images" (
	"generation_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"media_id" uuid,
	CONSTRAINT "generated_images_generation_id_position_pk" PRIMARY KEY("generation_id","position")
);
--> statement-breakpoint
CREATE TABLE "social"."image_generations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"created_by" uuid NOT NULL,
	"service" text,
	"prompt" text NOT NULL,
	"size" text NOT NULL,
	"count" smallint NOT NULL,
	"requested_model" text,
	"model" text,
	"cost_nano_usd" bigint,
	"status" text DEFAULT 'generating' NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"failure_code" text,
	"failure_message" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "image_generations_status" CHECK ("social"."image_generations"."status" in ('generating', 'completed', 'failed')),
	CONSTRAINT "image_generations_lease" CHECK (("social"."image_generations"."status" = 'generating') = ("social"."image_generations"."lease_until" is not null)),
	CONSTRAINT "image_generations_failed" CHECK (("social"."image_generations"."status" = 'failed') = ("social"."image_generations"."failure_code" is not null)),
	CONSTRAINT "image_generations_count" CHECK ("social"."image_generations"."count" between 1 and 4)
);
--> statement-breakpoint
ALTER TABLE "social"."generated_images" ADD CONSTRAINT "generated_images_generation_id_image_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "social"."image_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."generated_images" ADD CONSTRAINT "generated_images_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "social"."media"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."image_generations" ADD CONSTRAINT "image_generations_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "generated_images_media" ON "social"."generated_images" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "image_generations_newest" ON "social"."image_generations" USING btree ("brand_id","id");--> statement-breakpoint
CREATE INDEX "image_generations_running" ON "social"."image_generations" USING btree ("lease_until") WHERE "social"."image_generations"."status" = 'generating';--> statement-breakpoint
CREATE INDEX "image_generations_expired" ON "social"."image_generations" USING btree ("expires_at");