# What snapshots keep of the gateways, in one list: these sources stand without the gateways around them, and the
# thread tests and tests/mutants build no more than them. Sets states_of_gateways, and states_of_ouch for OUCH alone.
set(gateways ${CMAKE_CURRENT_LIST_DIR}/../src/gateways/damrak/gateway)
file(GLOB states_of_ouch CONFIGURE_DEPENDS
  ${gateways}/ouch/ouch_orders.cpp ${gateways}/ouch/entered_anew.cpp ${gateways}/ouch/detail/past_executions.cpp
  ${gateways}/ouch/detail/user_sessions.cpp)
file(GLOB states_of_others CONFIGURE_DEPENDS ${gateways}/fix/fix_order*.cpp ${gateways}/fix/detail/fix_order.cpp
  ${gateways}/udp/udp_clients.cpp)
set(states_of_gateways ${states_of_ouch} ${states_of_others})
