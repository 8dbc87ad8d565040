CREATE TABLE "social"."upload_parts" (
	"upload_id" uuid NOT NULL,
	"starts_at" bigint NOT NULL,
	"file_id" uuid NOT NULL,
	CONSTRAINT "upload_parts_upload_id_starts_at_pk" PRIMARY KEY("upload_id","starts_at")
);
--> statement-breakpoint
CREATE TABLE "social"."uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"created_by" uuid NOT NULL,
	"name" text NOT NULL,
	"alt" text NOT NULL,
	"status" text DEFAULT 'uploading' NOT NULL,
	"length" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"writer" uuid,
	"writer_ends_at" timestamp (3) with time zone,
	"content_type" text,
	"sha256" text,
	"file_id" uuid,
	"media_id" uuid,
	"failure" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "uploads_status" CHECK ("social"."uploads"."status" in ('uploading', 'processing', 'completed', 'failed')),
	CONSTRAINT "uploads_received" CHECK ("social"."uploads"."received" between 0 and "social"."uploads"."length" and "social"."uploads"."length" > 0),
	CONSTRAINT "uploads_uploading" CHECK (("social"."uploads"."status" = 'uploading') = ("social"."uploads"."received" < "social"."uploads"."length")),
	CONSTRAINT "uploads_writer" CHECK (("social"."uploads"."writer" is null) = ("social"."uploads"."writer_ends_at" is null)),
	CONSTRAINT "uploads_completed" CHECK (("social"."uploads"."status" = 'completed') = ("social"."uploads"."sha256" is not null)),
	CONSTRAINT "uploads_failed" CHECK (("social"."uploads"."status" = 'failed') = ("social"."uploads"."failure" is not null)),
	CONSTRAINT "uploads_expires" CHECK (("social"."uploads"."expires_at" is null) = ("social"."uploads"."file_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "social"."upload_parts" ADD CONSTRAINT "upload_parts_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "social"."uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."uploads" ADD CONSTRAINT "uploads_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."uploads" ADD CONSTRAINT "uploads_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "social"."media"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uploads_of_brand" ON "social"."uploads" USING btree ("brand_id");--> statement-breakpoint
CREATE INDEX "uploads_media" ON "social"."uploads" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "uploads_expired" ON "social"."uploads" USING btree ("expires_at");