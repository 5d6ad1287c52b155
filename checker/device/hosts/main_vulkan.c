/* SPDX-License-Identifier: MIT */
/* Vulkan's host side: one compute pipeline with six storage buffers, on the
 * physical device of the environment's DEVICE (default 0). */
#include <vulkan/vulkan.h>

#include "tables.h"
#include "test.h"
#include "host.h"

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static uint32_t family;
static VkPipelineLayout pipeline_layout;
static VkPipeline pipeline;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;
static VkCommandBuffer commands;
static struct { VkBuffer buffer; VkDeviceMemory memory; void *at; } memories[6];

static void check(VkResult result, const char *what) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "%s: %s returned %d\n", TEST_NAME, what, result);
  exit(2);
}

static void choose_device(void) {
  const char *wanted = getenv("DEVICE");
  uint32_t number = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 0, count = 16;
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  VkInstance instance;
  VkPhysicalDevice devices[16];
  check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
  if (vkEnumeratePhysicalDevices(instance, &count, devices) < 0 || number >= count) host_fail("there is no such device");
  physical = devices[number];
}

static void choose_family(void) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  while (family < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) family++;
  if (family == count) host_fail("the device has no queue for compute shaders");
}

static void open_queue(void) {
  float priority = 1;
  VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                    .queueFamilyIndex = family,
                                    .queueCount = 1,
                                    .pQueuePriorities = &priority};
  VkPhysicalDeviceVulkanMemoryModelFeatures model = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
      .vulkanMemoryModel = VK_TRUE,
      .vulkanMemoryModelDeviceScope = VK_TRUE};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &model,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queues};
  check(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice (it must have the Vulkan memory model)");
  vkGetDeviceQueue(device, family, 0, &queue);
}

static VkShaderModule read_shader(void) {
  static uint32_t words[1 << 18];
  FILE *file = fopen("kernel.spv", "rb");
  size_t size = file ? fread(words, 1, sizeof words, file) : 0;
  if (!size) host_fail("kernel.spv cannot be read: make");
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
  VkShaderModule shader;
  check(vkCreateShaderModule(device, &info, NULL, &shader), "vkCreateShaderModule");
  fclose(file);
  return shader;
}

static void make_layouts(void) {
  VkDescriptorSetLayoutBinding bindings[6];
  memset(bindings, 0, sizeof bindings);
  for (uint32_t i = 0; i < 6; i++) {
    bindings[i].binding = i;
    bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  VkDescriptorSetLayoutCreateInfo sets = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 6, .pBindings = bindings};
  check(vkCreateDescriptorSetLayout(device, &sets, NULL, &set_layout), "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layouts = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
  check(vkCreatePipelineLayout(device, &layouts, NULL, &pipeline_layout), "vkCreatePipelineLayout");
}

static void make_pipeline(void) {
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .module = read_shader(),
                                                .pName = "main"},
                                      .layout = pipeline_layout};
  check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
}

static void make_set(void) {
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 6};
  VkDescriptorPoolCreateInfo pools = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(device, &pools, NULL, &pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .descriptorPool = pool,
                                      .descriptorSetCount = 1,
                                      .pSetLayouts = &set_layout};
  check(vkAllocateDescriptorSets(device, &info, &set), "vkAllocateDescriptorSets");
  VkCommandPoolCreateInfo command_pools = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                           .queueFamilyIndex = family};
  VkCommandPool command_pool;
  check(vkCreateCommandPool(device, &command_pools, NULL, &command_pool), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo buffers = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                         .commandPool = command_pool,
                                         .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                         .commandBufferCount = 1};
  check(vkAllocateCommandBuffers(device, &buffers, &commands), "vkAllocateCommandBuffers");
}

static const char *device_open(void) {
  static VkPhysicalDeviceProperties facts;
  choose_device();
  choose_family();
  open_queue();
  vkGetPhysicalDeviceProperties(physical, &facts);
  if (facts.limits.maxComputeWorkGroupInvocations < test_shape.items)
    host_fail("the test's work-groups are too large for the device; emitted with fewer lanes they need less");
  make_layouts();
  make_pipeline();
  make_set();
  return facts.deviceName;
}

/* Memory that host and device see at once. */
static uint32_t memory_type(uint32_t usable) {
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties facts;
  vkGetPhysicalDeviceMemoryProperties(physical, &facts);
  for (uint32_t i = 0; i < facts.memoryTypeCount; i++)
    if (usable >> i & 1 && (facts.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  host_fail("the device has no memory that the host sees");
  return 0;
}

static void make_buffer(uint32_t i, size_t size) {
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
  check(vkCreateBuffer(device, &info, NULL, &memories[i].buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, memories[i].buffer, &needs);
  VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = memory_type(needs.memoryTypeBits)};
  check(vkAllocateMemory(device, &allocate, NULL, &memories[i].memory), "vkAllocateMemory");
  check(vkBindBufferMemory(device, memories[i].buffer, memories[i].memory, 0), "vkBindBufferMemory");
  check(vkMapMemory(device, memories[i].memory, 0, VK_WHOLE_SIZE, 0, &memories[i].at), "vkMapMemory");
  VkDescriptorBufferInfo buffer = {memories[i].buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .dstSet = set,
                                .dstBinding = i,
                                .descriptorCount = 1,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                .pBufferInfo = &buffer};
  vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

static void record_commands(uint32_t groups) {
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0, NULL);
  vkCmdDispatch(commands, groups, 1, 1);
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                       NULL, 0, NULL);
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void device_run(const struct launch *l, const struct buffers *b) {
  void *const host[6] = {b->cells, b->results, b->deal, b->places, b->pad, b->params};
  const size_t sizes[6] = {b->cells_size, b->results_size, b->deal_size, b->places_size, b->pad_size, b->params_size};
  for (uint32_t i = 0; i < 6; i++) {
    if (!memories[i].at) make_buffer(i, sizes[i]);
    memcpy(memories[i].at, host[i], sizes[i]);
  }
  record_commands(l->groups + l->stress_groups);
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
  for (int i = 0; i < 2; i++) memcpy(host[i], memories[i].at, sizes[i]);
}
