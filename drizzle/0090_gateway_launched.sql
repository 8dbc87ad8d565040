UPDATE identity.services SET surface_kind = 'app', icon = 'gauge', launchable = true, web_url = '/gateway'
WHERE slug = 'platform-gateway';
