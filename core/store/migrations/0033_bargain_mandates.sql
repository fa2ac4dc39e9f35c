-- The action of a mandate for haggling is called like haggling. Its terms stay as they were given.
update mandate set action = 'bargain' where action = 'negotiation';
