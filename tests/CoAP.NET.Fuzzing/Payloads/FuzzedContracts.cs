using CoAP.Formats;
using PolyType;

namespace CoAP.Fuzzing.Payloads;

[PayloadContract(typeof(FuzzedDevice))]
internal sealed partial class FuzzedContracts : PayloadContracts;

[GenerateShapeFor<FuzzedDevice>]
internal sealed partial class FuzzedShapes;
