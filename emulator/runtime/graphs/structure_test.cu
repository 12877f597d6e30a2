/// \file
/// Graphs and their edges. NVIDIA's compiler takes this file as well.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/graph_test.hpp"

using namespace graph_test;

namespace {

cudaError_t connect(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
  return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
}

cudaError_t disconnect(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
  return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
}

}  // namespace

TEST_CASE("graphs: nodes and edges are what was added") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  CHECK(nodes_of(graph).empty());
  cudaGraphNode_t const a = empty_node(graph);
  cudaGraphNode_t const b = empty_node(graph, {a});
  cudaGraphNode_t const c = empty_node(graph, {a, b});
  CHECK(nodes_of(graph) == Nodes{a, b, c});
  CHECK(dependencies_of(c) == Nodes{a, b});
  CHECK(type_of(a) == cudaGraphNodeTypeEmpty);

  std::size_t count = 3;
  Nodes found(3);
  CHECK(cudaGraphGetRootNodes(graph, found.data(), &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(found == Nodes{a, nullptr, nullptr});
  count = 3;
  CHECK(cudaGraphNodeGetDependentNodes(a, found.data(), nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(found == Nodes{b, c, nullptr});

  Nodes to(3);
  count = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count) == cudaSuccess);
  REQUIRE(count == 3);
  CHECK(cudaGraphGetEdges(graph, found.data(), to.data(), nullptr, &count) == cudaSuccess);
  CHECK(found == Nodes{a, a, b});
  CHECK(to == Nodes{b, c, c});
}

TEST_CASE("graphs: edges come and go, and what is refused changes nothing") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  cudaGraph_t const other = some_graph();
  cudaGraphNode_t const a = empty_node(graph);
  cudaGraphNode_t const b = empty_node(graph);
  cudaGraphNode_t const c = empty_node(graph);
  cudaGraphNode_t const strange = empty_node(other);
  CHECK(connect(graph, a, b) == cudaSuccess);
  CHECK(connect(graph, b, c) == cudaSuccess);
  CHECK(connect(graph, a, b) == cudaErrorInvalidValue);  // is there already
  CHECK(connect(graph, a, strange) == cudaErrorInvalidValue);
  CHECK(disconnect(graph, a, c) == cudaErrorInvalidValue);  // is not there
  CHECK(dependencies_of(c) == Nodes{b});
  CHECK(disconnect(graph, b, c) == cudaSuccess);
  CHECK(dependencies_of(c).empty());
  CHECK(connect(graph, a, c) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(a) == cudaSuccess);
  CHECK(dependencies_of(b).empty());
  CHECK(nodes_of(graph) == Nodes{b, c});
  CHECK(cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(other) == cudaSuccess);
}

TEST_CASE("graphs: a cycle is refused, at the latest when the graph is instantiated") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const a = empty_node(graph);
  cudaGraphNode_t const b = empty_node(graph, {a});
  cudaGraphNode_t const c = empty_node(graph, {b});
  cudaError_t error = connect(graph, c, a);
  cudaGraphExec_t executable = nullptr;
  if (error == cudaSuccess) error = cudaGraphInstantiate(&executable, graph, 0);
  CHECK(error == cudaErrorInvalidValue);
  CHECK(connect(graph, a, a) == cudaErrorInvalidValue);
}

TEST_CASE("graphs: arguments that make no sense are refused") {
  const Fresh fresh;
  cudaGraph_t graph = some_graph();
  cudaGraphNode_t const node = empty_node(graph);
  const Nodes twice{node, node};
  cudaGraphNode_t added = nullptr;
  CHECK(cudaGraphCreate(&graph, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphCreate(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&added, graph, twice.data(), 2) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&added, graph, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphGetNodes(graph, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(nodes_of(graph).size() == 1);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("graphs: a clone knows whose clone its nodes are") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const a = kernel_node(graph, (void*)put, out, 3);
  cudaGraphNode_t const b = kernel_node(graph, (void*)multiply, out, 5, {a});
  cudaGraph_t clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  cudaGraphNode_t a2 = nullptr;
  cudaGraphNode_t b2 = nullptr;
  CHECK(cudaGraphNodeFindInClone(&a2, a, clone) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&b2, b, clone) == cudaSuccess);
  CHECK(a2 != a);
  CHECK(dependencies_of(b2) == Nodes{a2});
  CHECK(cudaGraphNodeFindInClone(&b2, a2, clone) == cudaErrorInvalidValue);
  // The clone goes its own way.
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  launch(instantiated(clone));
  CHECK(*out == 15);
}

TEST_CASE("graphs: a child graph is a copy, and the end of it is waited for") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const child = some_graph();
  cudaGraphNode_t const inner = kernel_node(child, (void*)add, out, 2);
  kernel_node(child, (void*)multiply, out, 3, {inner});
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const first = kernel_node(graph, (void*)put, out, 1);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&node, graph, &first, 1, child) == cudaSuccess);
  kernel_node(graph, (void*)add, out, 100, {node});
  CHECK(type_of(node) == cudaGraphNodeTypeGraph);
  cudaGraph_t copy = nullptr;
  CHECK(cudaGraphChildGraphNodeGetGraph(node, &copy) == cudaSuccess);
  CHECK(copy != child);
  CHECK(nodes_of(copy).size() == 2);
  kernel_node(child, (void*)add, out, 1000);  // comes too late
  CHECK(cudaGraphDestroy(child) == cudaSuccess);
  launch(instantiated(graph));
  CHECK(*out == 109);
}

TEST_CASE("graphs: a drawing for dot has the nodes, the edges and what flags ask for") {
  const Fresh fresh;
  int* const out = managed_ints(2);
  cudaGraph_t const child = some_graph();
  empty_node(child);
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const first = kernel_node(graph, (void*)put, out, 1);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddChildGraphNode(&node, graph, &first, 1, child) == cudaSuccess);
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, &first, 1, out, out + 1, 4, cudaMemcpyDefault) ==
        cudaSuccess);
  char path[] = "/tmp/graph_test.XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  close(file);
  const auto drawn = [&](unsigned flags) {
    CHECK(cudaGraphDebugDotPrint(graph, path, flags) == cudaSuccess);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  };
  const std::string plain = drawn(0);
  const std::string verbose = drawn(cudaGraphDebugDotFlagsVerbose);
  std::remove(path);
  CHECK(plain.find("digraph") == 0);
  CHECK(plain.find("put") != std::string::npos);
  CHECK(plain.find("->") != std::string::npos);
  CHECK(plain.find("subgraph") != std::string::npos);
  CHECK(verbose.size() > plain.size());
  CHECK(cudaGraphDebugDotPrint(graph, "/nowhere/at/all", 0) == cudaErrorOperatingSystem);
  CHECK(cudaGraphDebugDotPrint(graph, nullptr, 0) == cudaErrorInvalidValue);
}

TEST_CASE("graphs: an object of the user's lives until the last graph that refers to it is gone") {
  const Fresh fresh;
  int destroyed = 0;
  const cudaHostFn_t destroy = [](void* data) { ++*static_cast<int*>(data); };
  cudaUserObject_t object = nullptr;
  CHECK(cudaUserObjectCreate(&object, &destroyed, destroy, 1, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaUserObjectCreate(&object, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync) ==
          cudaSuccess);
  cudaGraph_t const graph = some_graph();
  CHECK(cudaUserObjectRetain(object) == cudaSuccess);
  CHECK(cudaUserObjectRelease(object, 1) == cudaSuccess);
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess);
  cudaGraphExec_t const executable = instantiated(graph);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  launch(executable);
  CHECK(destroyed == 0);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  for (int i = 0; i < 1000 && destroyed == 0; ++i) usleep(1000);  // a GPU's driver takes its time
  CHECK(destroyed == 1);
}
