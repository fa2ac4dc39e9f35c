-- Links to the market's own checkout pages began with the Host header of whoever asked first.
update payment set checkout_url = '/sandbox/payments/' || payment_id where provider = 'sandbox';
