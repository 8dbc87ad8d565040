CREATE TABLE "social"."pauses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"brand_id" uuid,
	"connection_id" uuid,
	"paused_by" uuid NOT NULL,
	"paused_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pauses_target" UNIQUE NULLS NOT DISTINCT("brand_id","connection_id","organization_id"),
	CONSTRAINT "pauses_scope" CHECK (("social"."pauses"."organization_id" is null) <> ("social"."pauses"."brand_id" is null)),
	CONSTRAINT "pauses_account" CHECK ("social"."pauses"."connection_id" is null or "social"."pauses"."brand_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "social"."pauses" ADD CONSTRAINT "pauses_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."pauses" ADD CONSTRAINT "pauses_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "social"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pauses_organization" ON "social"."pauses" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "pauses_connection" ON "social"."pauses" USING btree ("connection_id");