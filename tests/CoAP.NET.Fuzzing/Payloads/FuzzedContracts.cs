using CoAP.Formats;

namespace CoAP.Fuzzing.Payloads;

[PayloadContract(typeof(FuzzedDevice))]
internal sealed partial class FuzzedContracts : PayloadContracts;
